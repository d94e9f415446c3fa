import { readFile } from 'node:fs/promises'
import { StartError } from '../config/start-error.ts'
import { messageOf } from '../flow/failures.ts'
import { type Certificate, readCertificate } from './certificate.ts'

/** Reads a certificate and its key. Throws a sentence that names the files. */
export async function readFiles(files: { certificate: string; key: string }): Promise<Certificate> {
  const [chain, key] = await Promise.all([readPem(files.certificate), readPem(files.key)])
  try {
    return readCertificate(chain, key)
  } catch (cause) {
    throw new StartError(
      `The certificate ${files.certificate} cannot be used with the key ${files.key}: ${messageOf(cause)}.`,
      { cause },
    )
  }
}

async function readPem(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(cause => {
    throw new StartError(`The file ${path} cannot be read: ${messageOf(cause)}.`, { cause })
  })
}
