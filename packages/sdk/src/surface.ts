import type {
  AccessCheck,
  AccessCheckBody,
  AccessMethod,
  AcknowledgedAlarms,
  Activity,
  BulkBody,
  BulkEditBody,
  BulkOperation,
  BulkResult,
  CreateOf,
  EditOf,
  ExportBody,
  GrantBody,
  GuestLanguage,
  ImportBody,
  ImportedDays,
  MemberDataJob,
  MemberSync,
  ModeBody,
  ModesOfGadget,
  ObjectOf,
  Periods,
  PrivacyPreview,
  PrivacyRecord,
  ResourceKind,
  Resources,
  RevealedOf,
  SchedulePreview,
  SimulateBody,
  Simulation,
  SiteDays,
  SiteZone,
  TestedTarget,
  UnknownCard,
  Unused,
  WaitingDevice,
} from '@gatehouse-access/api'
import type { StreamedEvent, StreamOptions } from './event-stream.ts'
import type { ImportFile, ImportWish } from './imports.ts'
import type { ListQuery } from './list-query.ts'
import type { Page } from './pages.ts'

export interface Options {
  readonly expand?: readonly string[]
  readonly signal?: AbortSignal
}
export interface CreateOptions extends Options {
  /** Generated when omitted. Pass your own to repeat a call safely after a crash. */
  readonly idempotency_key?: string
}
export interface EditOptions extends Options {
  /** The ETag that the object must still have, see `etagOf`. */
  readonly if_match?: string
  /** For sites and devices: also restores what was deleted together with it, or deletes everything inside. */
  readonly cascade?: boolean
}
export interface DeleteOptions extends EditOptions {
  readonly dry_run?: boolean
}

/** The types of expands are not derived. Pass them as the type argument of the call. */
type Answer<K extends ResourceKind, Expanded> = ObjectOf<Resources[K]> & Expanded
type Revealed<K extends ResourceKind, Expanded> = RevealedOf<Resources[K]> & Expanded
type Created<K extends ResourceKind> = CreateOf<Resources[K]>
/** A body without required fields can be omitted. */
type Body<B> = Record<never, never> extends B ? [body?: B] : [body: B]
type Ids = readonly string[]

export interface Catalogue<K extends ResourceKind, Parent extends Ids = []> {
  list<Expanded = unknown>(...of: [...Parent, query?: ListQuery<K>]): Promise<Page<Answer<K, Expanded>>>
  /** Yields all objects of all pages. */
  all<Expanded = unknown>(
    ...of: [...Parent, query?: ListQuery<K>]
  ): AsyncGenerator<Answer<K, Expanded>, void, undefined>
  get<Expanded = unknown>(...of: [...Parent, id: string, options?: Options]): Promise<Answer<K, Expanded>>
}

export interface Collection<K extends ResourceKind, Parent extends Ids = []> extends Catalogue<K, Parent> {
  create<Expanded = unknown>(
    ...of: [...Parent, ...Body<Created<K>>, options?: CreateOptions]
  ): Promise<Revealed<K, Expanded>>
  edit<Expanded = unknown>(
    ...of: [...Parent, id: string, changes: EditOf<Resources[K]>, options?: EditOptions]
  ): Promise<Answer<K, Expanded>>
  delete<Expanded = unknown>(
    ...of: [...Parent, id: string, options?: DeleteOptions]
  ): Promise<Answer<K, Expanded>>
}

export interface Reveals<K extends ResourceKind> {
  /** Returns the secret again. Recorded as a `reveal` event. */
  reveal<Expanded = unknown>(
    member_id: string,
    id: string,
    options?: CreateOptions,
  ): Promise<Revealed<K, Expanded>>
}

export interface Singleton<K extends ResourceKind> {
  get(options?: Options): Promise<ObjectOf<Resources[K]>>
  edit(changes: EditOf<Resources[K]>, options?: EditOptions): Promise<ObjectOf<Resources[K]>>
}

interface OrganizationActions {
  /** Returns which personal data is stored and why, who gets it, and how long it is kept. */
  privacy_record(options?: Options): Promise<PrivacyRecord>
  /** Counts what periods would remove if they were in force now. */
  privacy_preview(query?: Periods & Options): Promise<PrivacyPreview>
  /** Counts the uses and denials of a period by hour, door, person and reason. */
  activity(query: { from: string; until?: string; site_id?: string } & Options): Promise<Activity>
  /** Finds doors, PINs and cards that nobody has used for a while. */
  unused(query: { since: string; site_id?: string } & Options): Promise<Unused>
}

export interface DeviceCredentials {
  readonly device_id: string
  readonly hardware_id: string
  /** Shown only once. */
  readonly secret: string
}

export interface ExposedPins {
  readonly exposed_pins: readonly { readonly member_pin_id: string; readonly member_id: string }[]
  /** The total number. Only the first thousand are listed. */
  readonly exposed_pin_count: number
}

export interface HistoryQuery extends Options {
  readonly limit?: number
  readonly cursor?: string
}

interface HasHistory {
  /** Returns the versions of the object, newest first: the events that made it what it is. */
  history<Expanded = unknown>(id: string, query?: HistoryQuery): Promise<Page<Answer<'event', Expanded>>>
}

/** What would be lost if an object were deleted. */
export interface Uses {
  readonly member_group_ids: readonly string[]
  readonly member_group_count: number
  readonly member_count: number
  readonly gadget_count: number
}

interface HasUsesAlone {
  /** Counts who has access by the object, now or later. */
  uses(id: string, options?: Options): Promise<Uses>
}

interface HasUses extends HasUsesAlone, HasHistory {}

interface DeviceActions extends HasUses {
  issue_credentials(id: string, options?: CreateOptions): Promise<DeviceCredentials>
  /** Returns the device and the PINs that it knew, which you should replace. */
  revoke_credentials(id: string, options?: Options): Promise<ObjectOf<Resources['device']> & ExposedPins>
  /** The last cards that were held to this reader and that it does not know, newest first. */
  unknown_cards(id: string, options?: Options): Promise<{ readonly data: readonly UnknownCard[] }>
  /** Simulates an input or a fault at a virtual device, and returns what the device did. */
  simulate(id: string, body: SimulateBody, options?: CreateOptions): Promise<Simulation>
  /** Tells nobody of its alarms for a while. Null ends it. */
  maintenance(id: string, body: Maintenance, options?: CreateOptions): Promise<ObjectOf<Resources['device']>>
}

interface Maintenance {
  readonly until: string | null
}

type ChangedAlarm = Promise<ObjectOf<Resources['alarm']>>

type ChangedTarget = Promise<ObjectOf<Resources['notification_target']>>

interface TargetActions {
  /** Sends a test message at once, and returns what became of it. */
  test(id: string, options?: CreateOptions): Promise<TestedTarget>
  /** Sends a code to the email address. */
  send_code(
    id: string,
    body?: { readonly language?: 'en' | 'es' | 'de' | 'fr' },
    options?: CreateOptions,
  ): ChangedTarget
  /** Proves the email address. */
  verify(id: string, body: { readonly code: string }, options?: CreateOptions): ChangedTarget
}

interface AlarmActions {
  /** Says that somebody takes care of it. */
  acknowledge(id: string, body?: { readonly note?: string }, options?: CreateOptions): ChangedAlarm
  /** Acknowledges it for a while. */
  snooze(id: string, body: { readonly until: string }, options?: CreateOptions): ChangedAlarm
  close(id: string, body?: { readonly note?: string }, options?: CreateOptions): ChangedAlarm
  reopen(id: string, options?: CreateOptions): ChangedAlarm
  /** Acknowledges several, all or none. Returns those that were open. */
  acknowledge_many(
    body: { readonly alarm_ids: readonly string[] },
    options?: CreateOptions,
  ): Promise<AcknowledgedAlarms>
}

export interface AccessQuery extends Options {
  readonly at?: string
  readonly access_method?: AccessMethod
  /** True for everything that the rules grant at that time or later, with the rules. */
  readonly ever?: boolean
  readonly limit?: number
  readonly cursor?: string
}

interface GadgetActions extends HasUses {
  /** Runs an action after your own permission checks. Requires the whitelabel feature. */
  run_action(id: string, action_id: string, options?: CreateOptions): Promise<Record<never, never>>
  /** `override_emergency`: also while the door is locked down. */
  run_action(
    id: string,
    action_id: string,
    body: { readonly override_emergency?: boolean },
    options?: CreateOptions,
  ): Promise<Record<never, never>>
  /** Runs an action within the permissions of a member. */
  execute_as_member(
    id: string,
    action_id: string,
    body: { readonly member_id: string; readonly location?: { readonly lat: number; readonly lng: number } },
    options?: CreateOptions,
  ): Promise<Record<never, never>>
  /** Returns the members who can use an action. */
  access<Expanded = unknown>(
    id: string,
    query?: AccessQuery & { readonly action_id?: string },
  ): Promise<Page<Answer<'member_access', Expanded>>>
  /** Unlocks or locks a door for a while, or gives it back to its unlock rules. */
  mode(id: string, body: ModeBody, options?: CreateOptions): Promise<ObjectOf<Resources['gadget']>>
  /** Returns the modes of a door to come, with their causes. */
  modes(id: string, query?: ModesQuery): Promise<ModesOfGadget>
}

export interface ModesQuery extends Options {
  /** Timestamps. From now by default. */
  readonly from?: string
  readonly to?: string
}

interface EmergencyActions {
  /** Ends the emergency. */
  end(
    id: string,
    body?: { readonly reason?: string },
    options?: CreateOptions,
  ): Promise<ObjectOf<Resources['emergency']>>
  /** Returns the doors of the emergency, and whether it has arrived there. */
  doors<Expanded = unknown>(
    id: string,
    query?: EmergencyDoorsQuery,
  ): Promise<Page<Answer<'emergency_door', Expanded>>>
}

export interface EmergencyDoorsQuery extends Options {
  readonly state?: ObjectOf<Resources['emergency_door']>['state']
  readonly limit?: number
  readonly cursor?: string
}

export interface EraseBody {
  /** At most 30 days ahead. Now by default. */
  readonly scheduled_at?: string
  /** `delete`: also deletes what the member did at doors. */
  readonly events?: 'unlink' | 'delete'
  readonly includes_cards?: boolean
  readonly reason?: 'request' | 'admin'
  /** A case number of yours, no name. */
  readonly reference?: string
}

/** With `dry_run`, counts what would be erased and changes nothing. */
type EraseOptions = CreateOptions & { readonly dry_run?: boolean }

interface ErasureActions {
  /** Erases a member for good. Repeating it while it goes on returns the same erasure. */
  create(
    body: EraseBody & { readonly member_id: string },
    options?: EraseOptions,
  ): Promise<ObjectOf<Resources['erasure']>>
  /** Cancels it, while it has not begun. */
  cancel(id: string, options?: CreateOptions): Promise<ObjectOf<Resources['erasure']>>
  /** Returns devices that have not confirmed yet that they forgot the member, and how many there are in all. */
  devices(
    id: string,
    options?: Options,
  ): Promise<{ readonly data: readonly WaitingDevice[]; readonly count: number }>
}

interface MemberActions extends HasHistory {
  /** Makes a job that puts everything held about the member into two files. */
  data_export(member_id: string, options?: CreateOptions): Promise<MemberDataJob>
  /** Erases the member for good, as `erasures.create`. */
  erase(id: string, body?: EraseBody, options?: EraseOptions): Promise<ObjectOf<Resources['erasure']>>
  /** Emails an invitation to the member. Each call sends it again. */
  invite(
    member_id: string,
    body?: { readonly member_email_ids?: readonly string[]; readonly language?: string },
    options?: CreateOptions,
  ): Promise<{ readonly member_email_ids: readonly string[]; readonly language: GuestLanguage }>
  /** Returns the gadget actions that the member can use. */
  access<Expanded = unknown>(
    id: string,
    query?: AccessQuery,
  ): Promise<Page<Answer<'gadget_access', Expanded>>>
  /** Returns which devices have confirmed the member's dates, associations, PINs and cards. */
  sync(id: string, options?: Options): Promise<MemberSync>
}

export interface ReplaceCardBody {
  /** The new card: exactly one of these. */
  readonly card_id?: string
  readonly uid?: string
  readonly printed_code?: string
  readonly lost_reason?: string
}

interface MemberCardActions {
  /** Reports the card lost, or says that it was found. */
  lost(
    member_id: string,
    id: string,
    body: { readonly is_lost: boolean; readonly lost_reason?: string },
    options?: CreateOptions,
  ): Promise<ObjectOf<Resources['member_card']>>
  /** Reports the card lost and gives the member another one, in one step. Returns the new one. */
  replace(
    member_id: string,
    id: string,
    body: ReplaceCardBody,
    options?: CreateOptions,
  ): Promise<ObjectOf<Resources['member_card']>>
}

export interface DatesQuery extends Options {
  /** Local dates. From today by default. */
  readonly from?: string
  readonly to?: string
}

interface SiteActions extends HasUses {
  /** Returns the special dates of the site. */
  days(id: string, query?: DatesQuery): Promise<SiteDays>
  /** Returns the offsets of the site's time zone over some years, as the service decides by them. */
  zone(id: string, options?: Options): Promise<SiteZone>
  /** Ends a fire whose contact has cleared. */
  fire_reset(id: string, options?: CreateOptions): Promise<ObjectOf<Resources['site']>>
  /** Tells nobody of its alarms for a while. Null ends it. */
  maintenance(id: string, body: Maintenance, options?: CreateOptions): Promise<ObjectOf<Resources['site']>>
  /** Returns the picture on which the gadgets of the site are placed, as a data URL. */
  floor_plan(id: string, options?: Options): Promise<{ readonly image: string | null }>
  /** Sets that picture. Null removes it. */
  set_floor_plan(
    id: string,
    body: { readonly image: string | null },
    options?: CreateOptions,
  ): Promise<ObjectOf<Resources['site']>>
}

interface ScheduleActions extends HasUses {
  /** Returns when the schedule is open at a site, date by date, and why. */
  preview(id: string, query: DatesQuery & { readonly site_id: string }): Promise<SchedulePreview>
}

interface CalendarActions {
  /** Takes the days from the source now, in the background. */
  refresh(
    id: string,
    body?: { readonly accept?: boolean },
    options?: CreateOptions,
  ): Promise<ObjectOf<Resources['calendar']>>
}

interface CalendarDayActions {
  /** Imports days from a calendar file or from the built-in tables. */
  import(
    calendar_id: string,
    body: ImportBody,
    options?: CreateOptions & { readonly dry_run?: boolean },
  ): Promise<ImportedDays>
}

interface AccessChecks {
  /** Returns whether an action would be allowed and, if not, why. */
  create(body: AccessCheckBody, options?: Options): Promise<AccessCheck>
}

interface EventActions {
  /** The card of a denial, if it was an unknown one of the last days. */
  unknown_card(id: string, options?: Options): Promise<{ readonly data: readonly UnknownCard[] }>
  /** Returns a ticket with which a browser can open one stream within 30 seconds. */
  issue_stream_ticket(
    options?: CreateOptions,
  ): Promise<{ readonly ticket: string; readonly expires_at: string }>
  /**
   * Yields every event as it is stored, until you leave the loop. Reconnects automatically and continues
   * after the last event, so that no event is missed or repeated.
   */
  stream<Expanded = unknown>(
    options?: StreamOptions,
  ): AsyncGenerator<StreamedEvent<Expanded>, void, undefined>
}

interface WebhookActions {
  /** Sends a test event, whatever the filter. */
  test(id: string, options?: CreateOptions): Promise<{ readonly webhook_delivery_id: string }>
  /** Sends the matching events of a time range again. */
  replay(
    id: string,
    body: { readonly starts_at: string; readonly ends_at?: string },
    options?: CreateOptions,
  ): Promise<{ readonly count: number; readonly continue_at: string | null }>
}

interface DeliveryActions {
  /** Sends a delivery again now, whatever its status. */
  retry(
    webhook_id: string,
    id: string,
    options?: CreateOptions,
  ): Promise<ObjectOf<Resources['webhook_delivery']>>
}

type ChangedJob = Promise<ObjectOf<Resources['job']>>

interface JobActions {
  /** Stops it. What is done stays. */
  cancel(id: string, options?: CreateOptions): ChangedJob
  /** Does what a dry run has shown. Returns the job that does. `force`: even if something has changed since. */
  start(id: string, body?: { readonly force?: boolean }, options?: CreateOptions): ChangedJob
  /** Sets back what it did. Returns the job that does. */
  undo(id: string, options?: CreateOptions & { readonly dry_run?: boolean }): ChangedJob
  /** Waits until it has ended, or awaits its start, and returns it then. */
  wait(id: string, options?: WaitOptions): ChangedJob
  /** Fetches one of its files. One with secrets can be fetched once, unless `again`. */
  file(
    id: string,
    name: string,
    options?: { readonly again?: boolean; readonly signal?: AbortSignal },
  ): Promise<Blob>
}

export interface WaitOptions {
  readonly signal?: AbortSignal
  /** Called with the job as it goes on. */
  readonly onProgress?: (job: ObjectOf<Resources['job']>) => void
}

/** A member with its groups and the credential kinds that the grant requested, including secrets. */
export type Granted = ObjectOf<Resources['member']> & {
  readonly group_associations: ObjectOf<Resources['member_group_association']>[]
  readonly emails?: ObjectOf<Resources['member_email']>[]
  readonly magic_links?: RevealedOf<Resources['member_magic_link']>[]
  readonly pins?: RevealedOf<Resources['member_pin']>[]
  readonly cards?: ObjectOf<Resources['member_card']>[]
}

/** The operations in addition to the five verbs. */
interface Actions {
  alarm: AlarmActions
  calendar: CalendarActions
  calendar_day: CalendarDayActions
  device: DeviceActions
  emergency: EmergencyActions
  erasure: ErasureActions
  gadget: GadgetActions
  job: JobActions
  member: MemberActions
  member_card: MemberCardActions
  member_group: HasUses
  tag: HasUsesAlone
  member_magic_link: Reveals<'member_magic_link'>
  member_pin: Reveals<'member_pin'>
  event: EventActions
  notification_target: TargetActions
  organization: OrganizationActions
  webhook: WebhookActions
  schedule: ScheduleActions
  site: SiteActions
  webhook_delivery: DeliveryActions
}

type ParentIds<K extends ResourceKind> = Resources[K] extends { readonly parent: infer Parent }
  ? Parent extends 'member'
    ? [member_id: string]
    : [parent_id: string]
  : []
type Verbs<K extends ResourceKind> = Resources[K]['verbs'][number]
type MethodOf<V> = V extends 'list' ? 'list' | 'all' : V
type Plain<K extends ResourceKind> = Resources[K] extends { readonly singleton: true }
  ? Singleton<K>
  : Pick<Collection<K, ParentIds<K>>, MethodOf<Verbs<K>> & keyof Collection<K>>
type Group<K extends ResourceKind> = Resources[K] extends { readonly singleton: true }
  ? K
  : Resources[K]['plural']
type Served = { [K in ResourceKind]: Verbs<K> extends never ? never : K }[ResourceKind]

/** Each resource under its plural name, with a method for each declared verb. */
type Resourceful = {
  readonly [K in Served as Group<K>]: Plain<K> & (K extends keyof Actions ? Actions[K] : unknown)
}

export interface BulkOptions extends Pick<CreateOptions, 'idempotency_key' | 'signal'> {
  /** All operations, at most 100, are one transaction. */
  readonly atomic?: boolean
}

interface Bulk {
  /**
   * Runs operations in order, a hundred in each request. Each succeeds or fails on its own, unless `atomic` is
   * true. Returns a result for each; refused ones have the status and the error.
   */
  (operations: readonly BulkOperation[], options?: BulkOptions): Promise<BulkResult[]>
  /** Sends one request of at most 100 operations. */
  create(body: BulkBody, options?: CreateOptions): Promise<{ readonly results: readonly BulkResult[] }>
  /** Changes many members alike, as a job. Try it with `dry_run` first. */
  edit(body: BulkEditBody, options?: CreateOptions): Promise<ObjectOf<Resources['job']>>
}

export interface Client extends Resourceful {
  readonly access_checks: AccessChecks
  readonly bulk: Bulk
  readonly exports: {
    /** Writes all objects of a list into a file of the job that it returns. */
    create(body: ExportBody, options?: CreateOptions): ChangedJob
  }
  readonly grants: {
    create(body: GrantBody, options?: CreateOptions): Promise<Granted>
  }
  readonly imports: {
    /** Sends a file of members, cards, days or associations, and returns the job that imports it. */
    create(file: ImportFile, settings?: ImportWish): ChangedJob
  }
}
