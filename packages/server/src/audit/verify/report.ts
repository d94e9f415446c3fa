type Kind =
  | 'altered'
  | 'removed'
  | 'inserted'
  | 'reordered'
  | 'link'
  | 'seal'
  | 'receipt'
  | 'amendment'
  | 'start'
  | 'cut'
  | 'checkpoint'
  | 'closing'

export interface Break {
  readonly organization_id: string | null
  /** The position in the chain. */
  readonly number: number | null
  readonly event_id: string | null
  readonly kind: Kind
  readonly message: string
}

export interface KnownHead {
  readonly number: number
  readonly hash: string
  /** The checkpoint or anchor with this head. */
  readonly source: string
}
