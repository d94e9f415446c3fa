import { type AdapterPayload, Provider } from 'oidc-provider'

const omitted = 'omitted:'

/**
 * The API specification's token exchange has no redirect_uri, but the engine requires the one that the code
 * was issued for. If it is omitted, a placeholder stands in until the code is found. The placeholder is set
 * at the client lookup, the first lookup after the form is parsed.
 */
export function markOmitted(): void {
  const params = paramsOf()
  if (params?.grant_type === 'authorization_code') params.redirect_uri ??= omitted
}

export function fillOmitted({ redirectUri }: AdapterPayload): void {
  const params = paramsOf()
  if (params?.redirect_uri === omitted) params.redirect_uri = redirectUri
}

function paramsOf(): Record<string, unknown> | undefined {
  return Provider.ctx?.oidc?.params as Record<string, unknown> | undefined
}
