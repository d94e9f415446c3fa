import { type AdapterPayload, Provider } from 'oidc-provider'

const omitted = 'omitted:'

/**
 * The exchange of the specification names no redirect_uri, the engine wants the one that the code was made for. Where none
 * is named, a mark stands for it (the client is the first thing looked for once the form is read) until the code is found.
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
