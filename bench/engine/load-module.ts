/** The engines compared with are dev dependencies that need not be there: undefined when one is not. */
export async function loadModule<Module>(name: string): Promise<Module | undefined> {
  try {
    return (await import(name)) as Module
  } catch {
    return undefined
  }
}
