export const scopes = ['full_read_write', 'full_read_only', 'offline'] as const
