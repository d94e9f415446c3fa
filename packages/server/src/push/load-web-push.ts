// Loaded for the first message: an installation without push needs none of it.
export const loadWebPush = async () => (await import('web-push')).default
