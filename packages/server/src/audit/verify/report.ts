/** How a chain can be broken. */
type Kind =
  | 'altered'
  | 'removed'
  | 'inserted'
  | 'reordered'
  | 'link'
  | 'seal'
  | 'receipt'
  | 'cut'
  | 'checkpoint'
  | 'closing'

export interface Break {
  readonly organization_id: string | null
  /** Place in the chain. */
  readonly number: number | null
  readonly event_id: string | null
  readonly kind: Kind
  readonly message: string
}

export interface KnownHead {
  readonly number: number
  readonly hash: string
  /** Which checkpoint says so. */
  readonly source: string
}
