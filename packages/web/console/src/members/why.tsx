import type { AccessMethod, Explanation, SiteZone } from '@gatehouse-access/api'
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { keyOf } from '../data/collections.ts'
import { useObject } from '../data/use-object.ts'
import { methodChoices } from '../events/method-words.ts'
import { reasonText } from '../events/reason-words.ts'
import { MomentInput } from '../form/moment-input.tsx'
import { Pick } from '../form/pick.tsx'
import { ExplainedRules } from '../groups/explained-rules.tsx'
import { IconCircleCheck, IconCircleX } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { doorSentence } from '../modes/explained-door.ts'
import { atTheDoor, nextOpening } from '../parts/door-time.ts'
import { Failure } from '../parts/failure.tsx'
import { LoadingLines } from '../parts/loading.tsx'
import { Section } from '../parts/page.tsx'
import { useZone } from '../schedules/use-site-days.ts'
import { useApi } from '../session/use-api.ts'
import type { Member } from './member.ts'

interface Gadget {
  readonly id: string
  readonly actions: readonly { readonly id: string; readonly name: string }[]
  readonly site_id: string
}

/** Explains rule by rule why the member cannot open a door, and when access would be allowed next. */
export function Why({ member }: { member: Member }) {
  const [params, setParams] = useSearchParams()
  const gadget_id = params.get('gadget')
  const [action, setAction] = useState<string | null>(null)
  const [method, setMethod] = useState<string | null>(null)
  const [at, setAt] = useState<string | null>(null)
  const gadget = useObject<'gadgets', Gadget>('gadgets', gadget_id).data
  const action_id = action ?? gadget?.actions[0]?.id
  const { data: zone } = useZone(gadget?.site_id)
  return (
    <Section
      title="Can this member open a door?"
      about="Checks the rules only. Nothing is opened or recorded."
    >
      <div className="why-fields">
        <Pick
          plural="gadgets"
          label="Door"
          placeholder="Choose a door…"
          value={gadget_id}
          onChange={id => {
            setAction(null)
            setParams(id ? { gadget: id } : {}, { replace: true })
          }}
        />
        <Select
          label="Action"
          placeholder="First action"
          disabled={!gadget}
          value={action_id ?? null}
          onChange={setAction}
          allowDeselect={false}
          data={gadget?.actions.map(({ id, name }) => ({ value: id, label: name })) ?? []}
        />
        <Select
          label="Method"
          placeholder="Phone (online)"
          clearable
          value={method}
          onChange={setMethod}
          data={methodChoices}
        />
        <MomentInput
          label={at ? 'Time' : 'Time (now)'}
          description=""
          value={at}
          onChange={setAt}
          zone={zone}
        />
      </div>
      {gadget && action_id && (
        <Answer
          question={{
            member_id: member.id,
            gadget_id: gadget.id,
            action_id,
            ...(method && { access_method: method as AccessMethod }),
            ...(at && { at }),
          }}
          zone={zone}
        />
      )}
    </Section>
  )
}

interface Question {
  readonly member_id: string
  readonly gadget_id: string
  readonly action_id: string
  readonly access_method?: AccessMethod
  readonly at?: string
}

function Answer({ question, zone }: { question: Question; zone: SiteZone | undefined }) {
  const { client, organization } = useApi()
  const { data, dataUpdatedAt, error, refetch } = useQuery({
    // Keyed under members, because any change of the member or of a group may change the answer.
    queryKey: keyOf(organization.id, 'members', 'check', question),
    queryFn: () => client.access_checks.create(question),
    staleTime: 0,
  })
  const asked_at = new Date(dataUpdatedAt).toISOString()
  if (error) return <Failure error={error} retry={refetch} />
  if (!data)
    return (
      <div className="why-verdict">
        <LoadingLines lines={2} />
      </div>
    )
  return (
    <>
      <div className="why-verdict" data-allowed={data.allowed} role="status">
        {data.allowed ? <IconCircleCheck size={18} aria-hidden /> : <IconCircleX size={18} aria-hidden />}
        <span>{say(data, zone, question.at ?? asked_at)}</span>
      </div>
      {data.rules_as_of === 'today' && (
        <p className="soft">These are today’s rules. Some of them, or the member, have changed since then.</p>
      )}
      <ExplainedRules rules={data.rules} />
    </>
  )
}

function say(explanation: Explanation, zone: SiteZone | undefined, at: string): string {
  const { allowed, reason } = explanation
  const where = [doorSentence(explanation.door, zone), atTheDoor(at, zone)].filter(Boolean).join(' ')
  if (allowed) return t(`Yes, the door would open. ${where}`)
  return t(`No. ${reasonText(reason)} ${where} ${nextOpening(explanation, zone)}`)
}
