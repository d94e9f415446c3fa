import { createHash } from 'node:crypto'

/** A browser without scripts: keeps cookies, fills in forms, does not follow redirects by itself. */
export class Visitor {
  readonly url: string
  readonly cookies = new Map<string, string>()
  address = ''
  status = 0
  text = ''
  headers = new Headers()

  constructor(url: string) {
    this.url = url
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<this> {
    return this.#ask(path, { headers })
  }

  /**
   * Submits the form of the current page whose action starts with `action`: the hidden fields plus the given
   * ones.
   */
  async submit(
    action: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<this> {
    const form = [...this.text.matchAll(/<form method="post" action="([^"]+)">([\s\S]*?)<\/form>/g)].find(
      match => match[1]?.startsWith(action),
    )
    if (!form)
      throw new Error(`no form ${action} at ${this.address}: ${this.status} ${this.text.slice(0, 2000)}`)
    const hidden = [...(form[2] ?? '').matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)]
    const values = Object.fromEntries(hidden.map(([, name, value = '']) => [name, decode(value)]))
    return this.post(form[1] ?? '', { ...values, ...fields }, headers)
  }

  async post(
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<this> {
    return this.#ask(path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { origin: this.url, ...headers },
    })
  }

  /** Follows redirects inside the service. Returns the external address that they lead to, if any. */
  async follow(): Promise<string | undefined> {
    for (;;) {
      const location = this.headers.get('location')
      if (location === null || this.status < 300 || this.status > 399) return undefined
      const target = new URL(location, this.url)
      if (target.origin !== new URL(this.url).origin) return location
      await this.get(target.pathname + target.search)
    }
  }

  async #ask(path: string, init: RequestInit & { headers: Record<string, string> }): Promise<this> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(new URL(path, this.url), {
      ...init,
      redirect: 'manual',
      headers: { ...init.headers, ...(cookie && { cookie }) },
    })
    for (const line of answer.headers.getSetCookie()) this.#keep(line)
    this.address = path
    this.status = answer.status
    this.headers = answer.headers
    this.text = await answer.text()
    return this
  }

  #keep(line: string): void {
    const [pair = ''] = line.split(';')
    const at = pair.indexOf('=')
    const value = pair.slice(at + 1)
    if (value === '' || /max-age=0|1970/i.test(line)) this.cookies.delete(pair.slice(0, at))
    else this.cookies.set(pair.slice(0, at), value)
  }

  async signIn(email: string, password: string, return_to = '/account'): Promise<this> {
    await this.get(`/sign-in?return_to=${encodeURIComponent(return_to)}`)
    return this.submit('/sign-in', { email, password })
  }

  /** Sends a request as the console does: the session cookie with the CSRF header. */
  async account<T = Record<string, never>>(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; body: T }> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const session = await fetch(`${this.url}/account/session`, { headers: { cookie } })
    const { csrf_token } = (await session.json()) as { csrf_token: string }
    const answer = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        cookie,
        'x-csrf-token': csrf_token ?? '',
        ...headers,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as T }
  }
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

function decode(text: string): string {
  return text.replace(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole)
}

export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}
