import { t } from '../language/t.ts'

/** Whether a device is online, by shape and name as well as by color. */
export function OnlineDot({ is_online }: { is_online: boolean | undefined }) {
  const words = is_online ? t('Online') : t('Offline')
  return (
    <span
      className="dot"
      data-tone={is_online ? 'good' : 'bad'}
      role="img"
      aria-label={words}
      title={words}
    />
  )
}
