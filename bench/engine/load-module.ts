/** Loads a compared engine. They are optional dev dependencies: undefined when not installed. */
export async function loadModule<Module>(name: string): Promise<Module | undefined> {
  try {
    return (await import(name)) as Module
  } catch {
    return undefined
  }
}
