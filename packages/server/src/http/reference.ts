export function renderReference(publicUrl: string): string {
  return `<!doctype html><title>Gatehouse API</title><p>${publicUrl}`
}
