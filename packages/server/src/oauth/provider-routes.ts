/** Paths of the authorization server. All others below /oauth2 are unknown. */
export const routes = {
  authorization: '/oauth2/auth',
  token: '/oauth2/token',
  revocation: '/oauth2/revoke',
  introspection: '/oauth2/introspect',
  jwks: '/oauth2/jwks',
}
