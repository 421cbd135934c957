/** Describes each chart of the page. */
export const BRUSH_HINT = "brush-hint"

export const BrushHint = () => (
  <p id={BRUSH_HINT} className="small soft">
    Drag over a chart to show only those days.
    <span className="brush-keys">
      {" "}By keyboard: arrow keys move, Shift selects, Enter shows the selection, Escape shows all days.
    </span>
  </p>
)
