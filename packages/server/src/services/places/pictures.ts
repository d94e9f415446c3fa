import { RequestError } from '@gatehouse-access/api'
import type { Agent } from 'undici'
import { type Once, once } from '../../flow/once.ts'
import { checkLiteral } from '../../outbound/addresses.ts'
import { loadClient, loadDialer } from '../../outbound/load-client.ts'
import { openNames } from '../../outbound/names.ts'
import { openTargets, type Targets, targetsOf } from '../../outbound/targets.ts'
import { digestFor } from '../../vault/contexts.ts'
import type { Context } from '../objects/context.ts'

export interface Picture {
  readonly type: string
  readonly bytes: Buffer
}

const largest = 4 * 1024 * 1024
const timeout = 10_000
const mostPictures = 40
/** The most concurrent fetches, per organization and in total: data is in memory, and hosts may be slow. */
const underWay = { organization: 4, all: 16 } as const
/** The magic bytes of each type and their offset. A name or a header alone proves nothing. */
const marks: readonly (readonly [type: string, at: number, mark: string])[] = [
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/webp', 8, 'WEBP'],
  ['image/gif', 0, 'GIF8'],
  ['image/avif', 4, 'ftypavif'],
]

/** The signed URL cannot be forged. It changes with the picture, so it can be cached for a long time. */
export function pictureUrl(
  context: Context,
  organization_id: string,
  site_id: string,
  image_url: string,
): string {
  const [signature] = signatures(context, site_id, image_url)
  return `${context.config.public_url}/member/v1/pictures/${organization_id}/${site_id}?v=${signature}`
}

function signatures({ vault }: Context, site_id: string, image_url: string): string[] {
  return vault
    .digests(`${site_id} ${image_url}`, digestFor.picture)
    .map(hash => hash.toString('base64url').slice(0, 22))
}

/** Fetches site pictures for members, so that their phones contact only this service. */
export class Pictures implements AsyncDisposable {
  #context: Context
  #targets: Targets
  #agent: Once<Agent>
  #known = new Map<string, Promise<Picture | undefined>>()
  /** One entry per fetch in progress: the organization of the picture. */
  #busy: string[] = []

  constructor(context: Context) {
    const { config } = context
    this.#context = context
    this.#targets = openTargets(targetsOf(config))
    this.#agent = once(() => openAgent(this.#targets))
  }

  /** Returns the picture of a site if the signature matches, or undefined. */
  async find(organization_id: string, site_id: string, signature: string): Promise<Picture | undefined> {
    const [row] = await this.#context.db.query<{ image_url: string | null }>(
      "SELECT map->>'image_url' AS image_url FROM sites WHERE organization_id = $1 AND id = $2 AND NOT is_deleted",
      [organization_id, site_id],
    )
    if (!row?.image_url || !signatures(this.#context, site_id, row.image_url).includes(signature))
      return undefined
    return this.#remember(organization_id, row.image_url)
  }

  #remember(organization_id: string, url: string): Promise<Picture | undefined> {
    const held = this.#known.get(url)
    if (held) return held
    const release = this.#begin(organization_id)
    const oldest = this.#known.keys().next().value
    if (this.#known.size >= mostPictures && oldest) this.#known.delete(oldest)
    const fetched = this.#fetch(url)
      .catch(error => {
        // Allows the next request to retry.
        this.#known.delete(url)
        this.#context.log.warn({ err: error, origin: new URL(url).origin }, 'a picture could not be fetched')
        return undefined
      })
      .finally(release)
    this.#known.set(url, fetched)
    return fetched
  }

  /** Takes a slot for one fetch and returns a function that releases it. */
  #begin(organization_id: string): () => void {
    const own = this.#busy.filter(id => id === organization_id).length
    if (own >= underWay.organization || this.#busy.length >= underWay.all)
      throw new RequestError('rate_limited', 'other pictures are being fetched; try again', {
        headers: { 'retry-after': '1' },
      })
    this.#busy.push(organization_id)
    return () => void this.#busy.splice(this.#busy.indexOf(organization_id), 1)
  }

  async #fetch(url: string): Promise<Picture | undefined> {
    const target = new URL(url)
    if (!/^https?:$/.test(target.protocol)) throw new Error('only http and https')
    checkLiteral(this.#targets, target)
    const { statusCode, body } = await (await this.#agent()).request({
      origin: target.origin,
      path: target.pathname + target.search,
      method: 'GET',
      headers: { accept: marks.map(([type]) => type).join(', ') },
      signal: AbortSignal.timeout(timeout),
    })
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of body) {
      size += chunk.length
      if (size > largest) throw new Error(`it is larger than ${largest} bytes`)
      chunks.push(chunk)
    }
    if (statusCode !== 200) throw new Error(`the response has the status ${statusCode}`)
    return recognize(Buffer.concat(chunks))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#agent.made())?.destroy()
  }
}

async function openAgent(targets: Targets): Promise<Agent> {
  const [{ Agent: HttpAgent }, { openDialer }] = await Promise.all([loadClient(), loadDialer()])
  const names = openNames()
  // `#begin` limits the fetches per organization, so each host name can have its own slots.
  const connect = openDialer(targets, hostname => names(hostname, hostname), timeout)('')
  return new HttpAgent({ connect, keepAliveMaxTimeout: 60_000 })
}

function recognize(bytes: Buffer): Picture {
  const beginning = bytes.subarray(0, 16).toString('latin1')
  const type = marks.find(([, at, mark]) => beginning.startsWith(mark, at))?.[0]
  if (!type) throw new Error('it is not a PNG, JPEG, WebP, GIF or AVIF')
  return { type, bytes }
}
