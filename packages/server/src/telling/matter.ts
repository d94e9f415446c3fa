import type { AlarmRecipient, EscalationStep, Resources, StoredOf } from '@gatehouse-access/api'

type Alarm = StoredOf<Resources['alarm']>

/** An alarm as far as it decides who is told, and when. */
export type ToldOf = Pick<
  Alarm,
  | 'severity'
  | 'state'
  | 'is_over'
  | 'ended_at'
  | 'last_occurred_at'
  | 'is_late'
  | 'in_maintenance'
  | 'cause_alarm_id'
>

/** A rule as far as it decides that. */
export interface TellingRule {
  /** Its own, or that of the type of the alarm. */
  readonly delay_seconds: number
  readonly notify: readonly AlarmRecipient[]
  readonly repeat_seconds: number | null
  readonly escalate: readonly EscalationStep[]
}

/** How far people have been told of one alarm by one rule. */
export interface Telling {
  /** When to look at it again. Null: when something happens to the alarm. */
  readonly due_at: string | null
  /** Whether this occurrence has been told. */
  readonly is_told: boolean
  readonly told_at: string | null
  /** Since when there is somebody who was told of the beginning, and not of the end. */
  readonly told_since: string | null
  readonly repeated_at: string | null
  readonly repeat_count: number
  readonly escalation_count: number
}

/** When a rule counts. */
export interface Hours {
  /** Returns the instant itself if the rule counts then, the next one at which it begins to, or null. */
  opensAt(at: string): string | null
}

export interface Matter {
  readonly telling: Telling
  readonly alarm: ToldOf
  /** Undefined if it is deleted or disabled. */
  readonly rule: TellingRule | undefined
  readonly hours: Hours
}

/** Something to tell. `told`: those who were told of the beginning. */
export interface Tell {
  readonly reason: 'opened' | 'repeated' | 'escalated' | 'ended' | 'digest'
  readonly to: readonly AlarmRecipient[] | 'told'
  /** Seconds that it waits for others to go with it. */
  readonly wait: number
}

/** What is to be done, and how far that is. `done`: there is nothing left to tell. */
export interface Plan {
  readonly tell: readonly Tell[]
  readonly next: Telling | 'done'
}
