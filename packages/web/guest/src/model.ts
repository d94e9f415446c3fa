/** The responses of the member API. */
export interface Location {
  readonly lat: number
  readonly lng: number
}
export interface ZoneTable {
  readonly from: string
  readonly until: string
  readonly offset: number
  readonly changes: readonly { readonly at: string; readonly offset: number }[]
}
export interface Site {
  readonly id: string
  readonly name: string
  readonly timezone: string
  /** Absent in what the phone kept of an older version. */
  readonly zone?: ZoneTable | null
  readonly map: {
    readonly location: Location | null
    readonly address: string | null
    readonly image_url: string | null
  } | null
  readonly phone: string | null
  readonly email: string | null
  readonly info: string | null
  /** Absent in what the phone kept of an older version. */
  readonly check_in?: string | null
}
/** What is known of a place after the stay. */
export type Place = Pick<Site, 'name' | 'timezone' | 'zone' | 'phone' | 'email' | 'map'>
export interface Colors {
  readonly accent: string
  readonly ink: string
  readonly wash: string
}
export interface Host {
  readonly name: string
  /** Absent in what the phone kept of an older version. */
  readonly logo_url?: string | null
  readonly colors?: { readonly light: Colors; readonly dark: Colors } | null
}
export interface Way {
  readonly access_method: 'online' | 'bluetooth' | 'mobile_nfc' | 'pin' | 'card'
  readonly is_allowed: boolean
  readonly requires_location: boolean
  readonly reason: string | null
  readonly next_allowed_at: string | null
  /** Absent in what the phone kept of an older version. */
  readonly closed_by?: { readonly name: string | null } | null
}
export interface Action {
  readonly id: string
  readonly name: string
  readonly ways: readonly Way[]
}
export interface Gadget {
  readonly id: string
  readonly name: string
  readonly site_id: string
  readonly is_online: boolean
  readonly actions: readonly Action[]
}
export interface Home {
  readonly member_id: string
  readonly organization: Host
  readonly starts_at: string | null
  readonly ends_at: string | null
  /** When the last group ended, if all have. Absent in what the phone kept of an older version. */
  readonly access_ended_at?: string | null
  readonly sites: readonly Site[]
  readonly gadgets: readonly Gadget[]
  readonly pins: readonly { readonly id: string; readonly length: number }[]
  /** Absent in what the phone kept of an older version. */
  readonly offers_data_export?: boolean
}
export interface DataExport {
  readonly state: 'making' | 'ready' | 'failed' | null
  readonly expires_at: string | null
  readonly files: readonly { readonly name: string; readonly media_type: string }[]
  readonly next_at: string | null
}
export interface Choice {
  readonly member_id: string
  readonly organization: { readonly name: string }
  readonly starts_at: string | null
  readonly ends_at: string | null
}

export function wayOf(action: Action, method: Way['access_method']): Way | undefined {
  return action.ways.find(way => way.access_method === method)
}

/** Returns true if a phone may run any of the gadget's actions online now. */
export function isOpenNow(gadget: Gadget): boolean {
  return gadget.actions.some(action => wayOf(action, 'online')?.is_allowed)
}

/** Returns true if a PIN or a card opens it now, and no phone. */
export function opensAtDoor({ actions }: Gadget): boolean {
  return actions.some(
    action => (wayOf(action, 'pin') ?? wayOf(action, 'card'))?.is_allowed && !wayOf(action, 'online'),
  )
}

/** Returns when the stay ended, by the dates of the member or of its groups. */
export function endOf({ ends_at, access_ended_at }: Home): string | undefined {
  const is_over = ends_at !== null && Date.parse(ends_at) <= Date.now()
  return (is_over ? ends_at : access_ended_at) ?? undefined
}
