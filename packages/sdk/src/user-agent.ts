import about from '../package.json' with { type: 'json' }

/** Empty in browsers: they send their own, and overriding it would trigger a CORS preflight request. */
export const userAgent: { 'user-agent'?: string } =
  'document' in globalThis || 'importScripts' in globalThis
    ? {}
    : { 'user-agent': `gatehouse-sdk/${about.version}` }
