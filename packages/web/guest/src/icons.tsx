import type { ComponentChildren } from 'preact'

function Icon({ children }: { children: ComponentChildren }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width="24"
      height="24"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  )
}

/** The arch of the Gatehouse logo. */
export const DoorIcon = () => (
  <Icon>
    <path d="M5 21V11a7 7 0 0 1 14 0v10M3 21h18M14 14v1" />
  </Icon>
)
export const CheckIcon = () => (
  <Icon>
    <path class="drawn" d="m5 13 4.5 4.5L19 7" />
  </Icon>
)
export const WarningIcon = () => (
  <Icon>
    <path d="M12 8v5m0 3.5v.01M10.3 4 2.6 17.5A2 2 0 0 0 4.3 20.500h15.400a2 2 0 0 0 1.7-3L13.7 4a2 2 0 0 0-3.4 0Z" />
  </Icon>
)
export const PlaceIcon = () => (
  <Icon>
    <path d="M12 21s7-6.2 7-11.500a7 7 0 1 0-14 0C5 14.8 12 21 12 21Zm0-9a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z" />
  </Icon>
)
export const ClockIcon = () => (
  <Icon>
    <path d="M12 7v5l3 2m6-2a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z" />
  </Icon>
)
export const KeypadIcon = () => (
  <Icon>
    <path
      d="M6 5h.01M12 5h.01M18 5h.01M6 11h.01M12 11h.01M18 11h.01M6 17h.01M12 17h.01M18 17h.01"
      stroke-width="3"
    />
  </Icon>
)
