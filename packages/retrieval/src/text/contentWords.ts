/** Words that mean something, and that the usual lists of stop words have nevertheless. */
const words = (text: string): ReadonlySet<string> => new Set(text.split(" "))

export const CONTENT_WORDS = {
  spanish: words(
    "acuerdo adrede afirmó agregó ampleamos antano antaño aproximadamente arribaabajo aseguró ayer añadió breve buen " +
      "buena buenas bueno buenos cinco claro comentó conocer conseguimos conseguir consigue consiguen consigues " +
      "consideró considera cosas creo cuatro cuenta deprisa despacio dia dias diferente diferentes día días ejemplo " +
      "emplean emplear empleas empleo empleais encuentra enfrente estado estados explicó expresó final fin general " +
      "gran grandes habla hablan horas hoy igual indicó informo informó intenta intentais intentamos intentan intentar " +
      "intentas intento junto lado largo lejos llegó lugar mal manera manifestó mayor medio mejor " +
      "mencionó menudo modo momento nueva nuevas nuevo nuevos ocho pais parte partir pasada pasado paìs peor pesar " +
      "poner primer primera primero primeros principalmente pronto propia propias propio propios proximo próximo " +
      "próximos quedó raras realizado realizar realizó repente sabe sabeis sabemos saben saber sabes segunda segundo " +
      "seis señaló siete sigue siguiente supuesto tarde temprano tercera tiempo total trabaja trabajais trabajamos " +
      "trabajan trabajar trabajas trabajo trata tres ultimo usa usais usamos usan usar usas uso valor veces ver verdad " +
      "verdadera verdadero vez última últimas último últimos"
  )
}
