import { scopeWords, type TokenScope } from '../../scopes.ts'

const described = { ...scopeWords, offline: 'Receive a refresh token.' }

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
          scopes: described,
        },
      },
    },
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description:
        'An existing access token, such as the one `gatehouse token` prints, or an API key of the organization.',
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

/** Any of these is sufficient. */
export function securityOf(scopes: readonly TokenScope[]): object[] {
  return [...scopes.map(name => ({ oauth2: [name] })), { bearer: [] }]
}
