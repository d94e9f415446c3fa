import { closedText } from '../explain.ts'
import { ClockIcon, KeypadIcon } from '../icons.tsx'
import { type Gadget, opensAtDoor, type Site, wayOf } from '../model.ts'
import { say } from '../texts.ts'
import { when } from '../times.ts'

/** A door that the phone cannot open now. Says when it can, or what opens it instead. */
export function LaterDoor({ gadget, site }: { gadget: Gadget; site: Site }) {
  const at_door = opensAtDoor(gadget)
  return (
    <li class="later">
      <span class="sign">{at_door ? <KeypadIcon /> : <ClockIcon />}</span>
      <div>
        <strong class="name">
          <bdi>{gadget.name}</bdi>
        </strong>
        <p>{at_door ? otherWay(gadget) : nextTime(gadget, site)}</p>
      </div>
    </li>
  )
}

function otherWay({ actions }: Gadget): string {
  return say(actions.some(action => wayOf(action, 'pin')) ? 'use_pin' : 'use_card')
}

function nextTime({ actions }: Gadget, site: Site): string {
  const ways = actions.flatMap(action => action.ways)
  const next = ways
    .map(way => way.next_allowed_at ?? '')
    .filter(Boolean)
    .sort()[0]
  // Only doors that the member may use at some time are listed.
  const opens = next ? say('opens_at', { when: when(next, site) }) : closedText(site)
  if (ways.some(way => way.reason === 'member_suspended'))
    return next ? `${say('suspended')} ${opens}` : say('suspended')
  const closed_by = ways.find(way => way.closed_by)?.closed_by
  return closed_by ? `${closedDay(closed_by.name)} ${opens}` : opens
}

/** The organization chose the name, in a language of its own. */
function closedDay(name: string | null): string {
  return name === null ? say('closed_today') : say('closed_by', { day: `\u2068${name}\u2069` })
}
