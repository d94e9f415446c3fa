import { type Endpoint, endpoints } from '@gatehouse-access/api'
import type { PathNames } from '../../kit/path-and-query.ts'

interface Pattern {
  readonly endpoint: Endpoint
  readonly segments: readonly string[]
}

interface Match {
  readonly endpoint: Endpoint
  /** The segments that stand for path parameters, as given. */
  readonly params: PathNames
}

const patterns = Map.groupBy(
  endpoints.map((endpoint): Pattern => ({ endpoint, segments: endpoint.path.split('/') })),
  ({ endpoint, segments }) => `${endpoint.method} ${segments.length}`,
)

/** Returns the endpoint of `/v2` at this path, which has no query. */
export function matchPath(method: string, path: string): Match | undefined {
  const given = path.split('/')
  const found = patterns
    .get(`${method} ${given.length}`)
    ?.find(({ segments }) => segments.every((segment, at) => isParameter(segment) || segment === given[at]))
  return found && { endpoint: found.endpoint, params: paramsOf(found.segments, given) }
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{')
}

function paramsOf(segments: readonly string[], given: readonly string[]): PathNames {
  const named = segments.flatMap((segment, at) =>
    isParameter(segment) ? [[segment.slice(1, -1), given[at] ?? ''] as const] : [],
  )
  return Object.fromEntries(named)
}
