import about from '../package.json' with { type: 'json' }

/** Browsers send their own and would ask the service for permission to send another. */
export const userAgent: { 'user-agent'?: string } =
  'document' in globalThis || 'importScripts' in globalThis
    ? {}
    : { 'user-agent': `gatehouse-sdk/${about.version}` }
