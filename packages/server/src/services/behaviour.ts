import type { Context } from '../context.ts'
import type { Row } from '../store/db.ts'
import type { Write } from '../store/write.ts'

/** A change under way: the transaction, who makes it, when. */
export interface Work extends Write {
  readonly context: Context
  /** The caller may learn from the answer whether a PIN is taken. */
  onPinLookup?(): void
}

/** What a kind does beyond being stored. Everything but `settle` runs in the transaction of the change. */
export interface Behaviour {
  /** Refuses values that contradict each other and answers the columns that follow from others. Needs no database. */
  settle?(after: Row, before: Row | undefined, now: string): Row
  /** Answers further columns of a new object. `given` is what the client said of it. */
  beforeCreate?(work: Work, values: Row, given: Row): Promise<Row>
  /** Answers what the answer to the create shows beyond the object: its secrets. */
  afterCreate?(work: Work, row: Row, values: Row): Promise<Row>
  /** Answers further columns to change. `changes` holds only what differs. */
  beforeEdit?(work: Work, before: Row, changes: Row): Promise<Row>
  afterEdit?(work: Work, before: Row, after: Row): Promise<void>
  /** Before an object is deleted by itself, not along with its parent. */
  beforeDelete?(work: Work, row: Row): Promise<Row>
  /** Before a deleted object lives again. */
  beforeRestore?(work: Work, row: Row, changes: Row): Promise<Row>
}
