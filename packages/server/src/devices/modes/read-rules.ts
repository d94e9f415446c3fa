import type { FirstPerson } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import type { GadgetSignal, ModeSources, UnlockRule } from './mode-sources.ts'
import { type Ids, readPages } from './read-pages.ts'

interface StoredRule {
  readonly id: string
  readonly gadget_ids: string[]
  readonly schedule_id: string
  readonly first_person: FirstPerson | null
  readonly last_person_signal: GadgetSignal | null
  readonly arrivals: string[]
  readonly departures: string[]
}

/** Rules per query: each may have 500 doors. */
const page = 50

export function readRules(
  db: Database,
  organizationId: string,
  into: ModeSources['unlock_rules'],
  ids?: Ids,
): Promise<void> {
  return readPages<StoredRule, UnlockRule>({
    ids,
    into,
    page,
    read: (after, named) =>
      db.query<StoredRule & object>(
        `SELECT id, gadget_ids, schedule_id, first_person, last_person_signal, arrivals, departures FROM unlock_rules
         WHERE organization_id = $1 AND NOT is_deleted AND is_enabled AND id > $2
           AND ($3::text[] IS NULL OR id = ANY($3::text[])) ORDER BY id LIMIT ${page}`,
        [organizationId, after, named],
      ),
    make: makeRule,
  })
}

/** What is not set is left out of the row. */
function makeRule(stored: StoredRule): UnlockRule {
  const { id, gadget_ids, schedule_id, first_person, last_person_signal, arrivals, departures } = stored
  return {
    gadgets: new Set(gadget_ids),
    row: {
      id,
      schedule_id,
      ...(first_person && {
        first_person: { ...first_person, member_group_ids: [...first_person.member_group_ids] },
      }),
      ...(last_person_signal && { last_person_signal }),
      ...(arrivals.length > 0 && { arrivals }),
      ...(departures.length > 0 && { departures }),
      is_enabled: true,
    },
  }
}
