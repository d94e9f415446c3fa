/** A connection that was open is gone, or one that was asked for never came. */
const lost = [
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  '25P03',
  '25P04',
  '57P01',
  '57P02',
]
const refused = [
  'CONNECTION_ENDED',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  '08000',
  '08003',
  '08006',
  '53300',
  '57P03',
]
const codesOfLoss = new Set(lost)
const codesOfAbsence = new Set([...lost, ...refused])

/** Whether a query failed because its connection broke, which leaves the driver in doubt about that connection. */
export function isLoss(error: unknown): boolean {
  return codesOfLoss.has(codeOf(error))
}

/** Whether a query failed because the database is away, restarting or refusing connections for now. */
export function isAway(error: unknown): boolean {
  return codesOfAbsence.has(codeOf(error))
}

/** Whether two transactions stood in each other's way, so that one of them was ended: it may be repeated. */
export function isConflict(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error))
}

/** Whether a statement was ended because it took too long. */
export function isTimeout(error: unknown): boolean {
  return codeOf(error) === '57014'
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | undefined)?.code ?? '')
}
