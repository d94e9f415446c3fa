import { resolve } from 'node:path'
import { parseAddress, parseWhole, type Setting } from './setting.ts'

export const modes = ['off', 'files', 'acme'] as const

export const tlsSettings = {
  tls: {
    name: 'GATEHOUSE_TLS',
    default: 'off',
    meaning:
      'Who ends TLS: `off`, a proxy in front; `files`, the service with a certificate from files; `acme`, the service with a certificate that it obtains and renews by itself ([TLS](tls.md)).',
    expected: 'off, files or acme',
    parse: text => modes.find(mode => mode === text),
  } satisfies Setting<(typeof modes)[number]>,
  tls_certificate: {
    name: 'GATEHOUSE_TLS_CERTIFICATE',
    default: '(required with `files`)',
    meaning: 'File with the certificate and its chain in PEM. Read again when it changes.',
    expected: 'the path of a file',
    parse: text => resolve(text),
  } satisfies Setting<string>,
  tls_key: {
    name: 'GATEHOUSE_TLS_KEY',
    default: '(required with `files`)',
    meaning:
      'File with the private key of the certificate in PEM, readable for the account that runs the service.',
    expected: 'the path of a file',
    parse: text => resolve(text),
  } satisfies Setting<string>,
  acme_email: {
    name: 'GATEHOUSE_ACME_EMAIL',
    default: '(none)',
    meaning: 'Address that the certificate authority can write to.',
    expected: 'an email address',
    parse: parseAddress,
  } satisfies Setting<string>,
  acme_directory: {
    name: 'GATEHOUSE_ACME_DIRECTORY',
    default: 'https://acme-v02.api.letsencrypt.org/directory',
    meaning:
      "Directory URL of the certificate authority. With `acme`, you agree to its terms of service. An authority of your own is trusted through Node's `NODE_EXTRA_CA_CERTS`.",
    expected: 'an https URL',
    parse: text => (URL.canParse(text) && new URL(text).protocol === 'https:' ? text : undefined),
  } satisfies Setting<string>,
  http_port: {
    name: 'GATEHOUSE_HTTP_PORT',
    default: '(`80` with `acme`, and with `files` on port 443; otherwise `off`)',
    meaning:
      'Port for plain HTTP beside TLS: it answers the questions of the certificate authority, and everything else with a redirect to https.',
    expected: 'a whole number from 1 to 65535, or off',
    parse: text => (text === 'off' ? text : parseWhole(text, 65_535, 1)),
  } satisfies Setting<number | 'off'>,
}
