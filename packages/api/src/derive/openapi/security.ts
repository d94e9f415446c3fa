import type { Endpoint } from '../../endpoints.ts'

const scopes = {
  full_read_write: 'Read and change everything, as an administrator can.',
  full_read_only: "Read everything, and manage the application's own webhooks.",
  offline: 'Receive a refresh token.',
}

export function securitySchemes(authUrl: string): Record<string, object> {
  return {
    oauth2: {
      type: 'oauth2',
      description: 'The user chooses the organization that the token gives access to.',
      flows: {
        authorizationCode: {
          authorizationUrl: `${authUrl}/oauth2/auth`,
          tokenUrl: `${authUrl}/oauth2/token`,
          refreshUrl: `${authUrl}/oauth2/token`,
          scopes,
        },
      },
    },
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'An existing access token, such as the one `gatehouse token` prints.',
    },
    ticket: {
      type: 'apiKey',
      in: 'query',
      name: 'ticket',
      description:
        'From `POST /events/stream_tickets`: opens one event stream within 30 seconds, where a header cannot be sent.',
    },
  }
}

/** Returns the scopes of which the endpoint needs one. A write token may also read. */
export function scopesOf({ scope, resource }: Endpoint): string[] {
  const isOpen = scope === 'read' || resource.owned_by_application
  return isOpen ? ['full_read_only', 'full_read_write'] : ['full_read_write']
}

/** Any of these is sufficient. */
export function securityOf(endpoint: Endpoint): object[] {
  return [...scopesOf(endpoint).map(name => ({ oauth2: [name] })), { bearer: [] }]
}
