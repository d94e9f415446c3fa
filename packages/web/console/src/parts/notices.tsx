import { useMediaQuery } from '@mantine/hooks'
import { Notifications } from '@mantine/notifications'
import { useEffect, useRef } from 'react'

/** Of the older ones, which are seen above the newest, and a gap. */
const edges = 24

/** On a phone they lie on one pile at the lower edge, and pages and dialogs leave room for it. */
export function Notices() {
  const is_phone = useMediaQuery('(max-width: 820px)')
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const pile = place.current
    if (!pile || !is_phone) return
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => {
      const { height, top } = pile.getBoundingClientRect()
      style.setProperty('--notices', `${height && window.innerHeight - top + edges}px`)
    })
    observer.observe(pile)
    return () => {
      observer.disconnect()
      style.removeProperty('--notices')
    }
  }, [is_phone])
  return (
    <div ref={place} className="notices">
      <Notifications
        withinPortal={false}
        position="bottom-right"
        layout={is_phone ? 'stacked' : 'default'}
        limit={4}
      />
    </div>
  )
}
