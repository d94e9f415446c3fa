import type { FastifyInstance } from 'fastify'
import { deviceGrantType } from '../services/applications/command-application.ts'
import { routes } from './provider-routes.ts'
import { scopes } from './scopes.ts'

/** Serves RFC 8414 metadata. The engine's own describes OpenID Connect, which this server does not offer. */
export function addServerMetadata(app: FastifyInstance, issuer: string): void {
  const methods = ['client_secret_basic', 'client_secret_post', 'none']
  const document = {
    issuer,
    authorization_endpoint: issuer + routes.authorization,
    token_endpoint: issuer + routes.token,
    device_authorization_endpoint: issuer + routes.device_authorization,
    revocation_endpoint: issuer + routes.revocation,
    introspection_endpoint: issuer + routes.introspection,
    scopes_supported: scopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', deviceGrantType],
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_methods_supported: methods,
    introspection_endpoint_auth_methods_supported: methods,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${issuer}/docs`,
  }
  app.get('/.well-known/oauth-authorization-server', (_request, reply) =>
    reply.header('access-control-allow-origin', '*').send(document),
  )
}
