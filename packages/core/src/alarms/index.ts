export * from './door-monitor.ts'
export * from './door-watch.ts'
export * from './types.ts'
