/** Paths of the authorization server. All others below /oauth2 are unknown. */
export const routes = {
  authorization: '/oauth2/auth',
  token: '/oauth2/token',
  device_authorization: '/oauth2/device_authorization',
  /** The engine's own page, which nobody reaches: ours is /device. */
  code_verification: '/oauth2/device',
  revocation: '/oauth2/revoke',
  introspection: '/oauth2/introspect',
  jwks: '/oauth2/jwks',
}
