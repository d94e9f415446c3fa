import { Fragment } from 'react'
import { Link } from 'wouter'
import { doorCount, type Emergency } from './emergency.ts'
import { useMissingDoors } from './use-doors.ts'

const most = 3

/** Says how many doors have confirmed, and which have not: `21 of 22 doors confirmed · Missing: Back door`. */
export function Arrival({ emergency }: { emergency: Emergency }) {
  const { gadget_count: all, confirmed_gadget_count: confirmed, cannot_gadget_count: cannot } = emergency
  const doors = useMissingDoors(emergency, most)
  const unable = cannot > 0 && <span>{cannot} cannot follow</span>
  if (confirmed >= all)
    return (
      <>
        <span>{all === 1 ? 'The door has' : `All ${all} doors have`} confirmed</span>
        {unable}
      </>
    )
  const others = all - confirmed - doors.length
  return (
    <>
      <span>
        {confirmed} of {doorCount(all)} confirmed
      </span>
      {doors.length > 0 && (
        <span>
          Missing:{' '}
          {doors.map(({ gadget_id, gadget }, index) => (
            <Fragment key={gadget_id}>
              {index > 0 && ', '}
              <Link href={`/gadgets/${gadget_id}`}>
                <bdi>{gadget?.name ?? gadget_id}</bdi>
              </Link>
            </Fragment>
          ))}
          {others > 0 && ` and ${others} more`}
        </span>
      )}
      {unable}
    </>
  )
}
