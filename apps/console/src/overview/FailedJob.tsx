import { useLatestJobs } from "./useLatestJobs.ts"

/** The newest of the latest jobs that failed. */
export const FailedJob = () => {
  const { data = [] } = useLatestJobs()
  const failed = data.find(({ status }) => status === "failed")
  if (failed === undefined) return null
  return (
    <div className="note bad" role="status">
      <strong>A question could not be answered</strong>
      <p className="wrap-anywhere">{failed.query}: {failed.error?.message}</p>
    </div>
  )
}
