import { type MemberRow, type NewOf, quoted, type Resources, resources } from '@gatehouse-access/api'
import type { Work } from '../../objects/context.ts'
import { newValues } from '../../objects/new-object.ts'
import type { Foreseen } from '../rows/foreseen.ts'
import { named } from './foreseen-names.ts'

interface KnownCard {
  readonly id: string
  readonly uid: string | null
  readonly printed_code: string | null
  readonly is_lost: boolean
  /** The member that has it. */
  readonly member_id: string | null
}

export type WantedCard = { readonly uid: string } | { readonly printed_code: string }

/** What a batch knows of the cards that its rows name. */
export class CardRoom {
  readonly #work: Work
  readonly #foreseen: Foreseen
  readonly #byUid = new Map<string, KnownCard>()
  readonly #byCode = new Map<string, KnownCard>()
  /** Who has a card, as far as rows of this batch say otherwise. */
  readonly #holders = new Map<string, string | null>()

  constructor(work: Work, foreseen: Foreseen) {
    this.#work = work
    this.#foreseen = foreseen
  }

  async learn(rows: readonly MemberRow[]): Promise<void> {
    const uids = rows.flatMap(row => row.card_uids ?? [])
    const codes = rows.flatMap(row => row.card_codes ?? [])
    if (uids.length + codes.length === 0) return
    const cards = await this.#work.db.query<KnownCard>(
      `SELECT c.id, c.uid, c.printed_code, c.is_lost, h.member_id FROM cards c
       LEFT JOIN member_cards h ON h.organization_id = c.organization_id AND h.card_id = c.id AND h.is_claimed
       WHERE c.organization_id = $1 AND NOT c.is_deleted AND (c.uid = ANY($2::text[]) OR c.printed_code = ANY($3::text[]))
       ORDER BY c.id FOR SHARE OF c`,
      [this.#work.caller.organization_id, uids, codes],
    )
    for (const card of cards) this.#keep(card)
  }

  #keep(card: KnownCard): void {
    if (card.uid !== null) this.#byUid.set(card.uid, card)
    if (card.printed_code !== null) this.#byCode.set(card.printed_code, card)
  }

  /** Returns the card, a new one for an unknown UID, or what is wrong. */
  find(
    wanted: WantedCard,
    memberId: string,
  ): { id: string; made?: NewOf<Resources['card']> } | { id?: string; problem: string } {
    const known = 'uid' in wanted ? this.#byUid.get(wanted.uid) : this.#byCode.get(wanted.printed_code)
    if (known?.is_lost) return { id: known.id, problem: lostCard(wanted) }
    if (known) return this.#isFree(known, memberId) ? known : { id: known.id, problem: takenCard(wanted) }
    if ('printed_code' in wanted)
      return { problem: `The organization has no card with the code ${quoted(wanted.printed_code)}` }
    const made = newValues(this.#work, resources.card, { uid: wanted.uid }) as NewOf<Resources['card']>
    this.#keep({ id: made.id, uid: wanted.uid, printed_code: null, is_lost: false, member_id: null })
    return { id: made.id, made }
  }

  #isFree(card: KnownCard, memberId: string): boolean {
    const name = named.card(card.id)
    if (!this.#holders.has(card.id) && this.#foreseen.isTaken(name)) return false
    const before = this.#foreseen.isFree(name) ? null : card.member_id
    const holder = this.#holders.has(card.id) ? this.#holders.get(card.id) : before
    return holder === null || holder === undefined || holder === memberId
  }

  take(cardId: string, memberId: string): void {
    this.#holders.set(cardId, memberId)
  }

  /** What an earlier row of the file takes from a member can be given to another. */
  release(cardId: string): void {
    this.#holders.set(cardId, null)
  }
}

function numberOf(wanted: WantedCard): string {
  return quoted('uid' in wanted ? wanted.uid : wanted.printed_code)
}

function lostCard(wanted: WantedCard): string {
  return `The card ${numberOf(wanted)} was reported lost: report it found first, or give another one`
}

function takenCard(wanted: WantedCard): string {
  return `The card ${numberOf(wanted)} belongs to another member: a card has at most one member at a time`
}
