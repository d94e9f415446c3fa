declare module 'autocannon' {
  interface Request {
    method?: 'GET' | 'POST'
    path?: string
    body?: string
    headers?: Record<string, string>
  }
  interface Options {
    url: string
    connections: number
    duration: number
    requests: Request[]
  }
  interface Result {
    requests: { total: number }
    duration: number
    errors: number
    non2xx: number
  }
  export default function autocannon(options: Options): Promise<Result>
}
