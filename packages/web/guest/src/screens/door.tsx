import { useRef, useState } from 'preact/hooks'
import { Refusal, runAction } from '../api.ts'
import { explain, otherWays, waysAtDoor } from '../explain.ts'
import { CheckIcon, DoorIcon, PlaceIcon, WarningIcon } from '../icons.tsx'
import { findLocation, isLocationGranted } from '../location.ts'
import type { Kept } from '../memory.ts'
import { type Action, type Gadget, type Site, wayOf } from '../model.ts'
import { isRevoked, leave } from '../stay.ts'
import { say } from '../texts.ts'

interface Props {
  readonly gadget: Gadget
  readonly site: Site
  readonly kept: Kept
  readonly is_offline: boolean
}

type State =
  | { readonly is: 'idle' }
  | { readonly is: 'asking'; readonly action: Action }
  | { readonly is: 'busy' | 'done'; readonly action: Action }
  | { readonly is: 'failed'; readonly text: string }

const shown = 4000

/** idle → (asking for the location →) busy → done → idle, or failed until the next attempt. */
export function Door({ gadget, site, kept, is_offline }: Props) {
  const [state, setState] = useState<State>({ is: 'idle' })
  const timer = useRef(0)
  const actions = gadget.actions.filter(action => wayOf(action, 'online')?.is_allowed)
  const is_reached = gadget.is_online && !is_offline
  const ways = is_offline ? waysAtDoor(kept.home, actions) : otherWays({ home: kept.home, site, actions })
  const is_near_only = actions.some(action => wayOf(action, 'online')?.requires_location)

  const run = async (action: Action) => {
    clearTimeout(timer.current)
    setState({ is: 'busy', action })
    try {
      const location = wayOf(action, 'online')?.requires_location ? await findLocation() : undefined
      await runAction(kept.token, gadget.id, action.id, location)
      navigator.vibrate?.(40)
      setState({ is: 'done', action })
      timer.current = setTimeout(() => setState({ is: 'idle' }), shown) as never
    } catch (error) {
      const refusal = error instanceof Refusal ? error : new Refusal('internal', {})
      if (isRevoked(refusal)) return leave(refusal)
      navigator.vibrate?.([30, 60, 30])
      setState({ is: 'failed', text: explain(refusal, { home: kept.home, site, gadget, action }) })
    }
  }
  const tap = async (action: Action) => {
    if (state.is === 'busy') return
    const must_ask = wayOf(action, 'online')?.requires_location && !(await isLocationGranted())
    if (must_ask && state.is !== 'asking') setState({ is: 'asking', action })
    else run(action)
  }

  return (
    <li class={`door ${state.is}`}>
      <div class="door-head">
        <span class="sign">{state.is === 'done' ? <CheckIcon /> : <DoorIcon />}</span>
        <div>
          <strong class="name">
            <bdi>{gadget.name}</bdi>
          </strong>
          {is_near_only && (
            <p class="near">
              <PlaceIcon /> {say('nearby')}
            </p>
          )}
          {!is_reached &&
            state.is !== 'failed' &&
            ways.map(way => (
              <p key={way} class="near">
                {way}
              </p>
            ))}
        </div>
      </div>
      {state.is === 'asking' ? (
        <fieldset class="reason" aria-label={say('nearby')}>
          <p>{say('why_location', { site: site.name })}</p>
          <div class="pair">
            <button type="button" class="quiet" onClick={() => setState({ is: 'idle' })}>
              {say('cancel')}
            </button>
            <button type="button" class="act" onClick={() => run(state.action)}>
              {say('continue')}
            </button>
          </div>
        </fieldset>
      ) : (
        <div class={actions.length > 1 ? 'pair' : ''}>
          {actions.map(action => (
            <ActionButton
              key={action.id}
              gadget={gadget}
              is_reached={is_reached}
              action={action}
              state={state}
              onTap={() => tap(action)}
            />
          ))}
        </div>
      )}
      <p class="outcome" role="status">
        {state.is === 'failed' && <WarningIcon />}
        {state.is === 'failed' && <span>{state.text}</span>}
        {'action' in state && <span class="unseen">{labelOf(state.action, state.is)}</span>}
      </p>
    </li>
  )
}

interface ButtonProps {
  readonly gadget: Gadget
  readonly is_reached: boolean
  readonly action: Action
  readonly state: State
  onTap(): void
}

function ActionButton({ gadget, is_reached, action, state, onTap }: ButtonProps) {
  const mine = 'action' in state && state.action.id === action.id ? state.is : 'idle'
  return (
    <button
      type="button"
      class={`act ${mine}${is_reached ? '' : ' offline'}`}
      aria-disabled={state.is === 'busy'}
      aria-label={`${labelOf(action, mine)}: ${gadget.name}`}
      onClick={onTap}
    >
      <bdi>{labelOf(action, mine)}</bdi>
    </button>
  )
}

/** The standard action is translated. Other actions keep the name that the organization gave them. */
function labelOf(action: Action, mine: State['is']): string {
  const opens = action.id === 'open'
  if (mine === 'busy') return say(opens ? 'opening' : 'working')
  if (mine === 'done') return say(opens ? 'opened' : 'done')
  return opens ? say('open') : action.name
}
