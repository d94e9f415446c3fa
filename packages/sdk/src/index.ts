export type { BulkOperation, BulkResult } from '@gatehouse-access/api'
export { answeredAt, etagOf, headersOf } from './answers.ts'
export { ApiError, ConnectionError } from './api-error.ts'
export { type Called, calledOf } from './called.ts'
export { createClient } from './client.ts'
export { type ClientOptions, clientOver } from './client-over.ts'
export type { StreamedEvent, StreamOptions } from './event-stream.ts'
export type { ImportFile, ImportWish } from './imports.ts'
export type { Filters, ListQuery, SortOf } from './list-query.ts'
export type { Page } from './pages.ts'
export type {
  BulkOptions,
  Catalogue,
  Client,
  Collection,
  DeviceCredentials,
  EditOptions,
  Granted,
  Options,
  Reveals,
  Singleton,
  WaitOptions,
} from './surface.ts'
export { verifyWebhook, WebhookError, type WebhookInput } from './webhook.ts'
