import {
  ActionIcon,
  Badge,
  Button,
  Combobox,
  createTheme,
  Drawer,
  Input,
  Menu,
  Modal,
  Notification,
  Popover,
  Select,
  Tooltip,
} from '@mantine/core'

const overlay = { transitionProps: { duration: 120 }, overlayProps: { backgroundOpacity: 0.4 } }
const quick = { transitionProps: { duration: 80 } }

/** The sizes of common components. Colors are in style/tokens.css. */
export const theme = createTheme({
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: Button.extend({ defaultProps: { size: 'xs' } }),
    ActionIcon: ActionIcon.extend({ defaultProps: { size: 'md', variant: 'subtle', color: 'gray' } }),
    Badge: Badge.extend({ defaultProps: { size: 'sm', variant: 'light', tt: 'none', fw: 500 } }),
    // Otherwise every form would render the options of its closed lists.
    Combobox: Combobox.extend({ defaultProps: { keepMounted: false } }),
    Input: Input.extend({ defaultProps: { size: 'sm' } }),
    Modal: Modal.extend({
      defaultProps: {
        ...overlay,
        centered: false,
        yOffset: '8vh',
        closeButtonProps: { 'aria-label': 'Close' },
      },
    }),
    Drawer: Drawer.extend({ defaultProps: { ...overlay, closeButtonProps: { 'aria-label': 'Close' } } }),
    Menu: Menu.extend({ defaultProps: { ...quick, shadow: 'md', position: 'bottom-start' } }),
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } }),
    Popover: Popover.extend({ defaultProps: { ...quick, shadow: 'md' } }),
    Select: Select.extend({ defaultProps: { comboboxProps: quick, checkIconPosition: 'right' } }),
    Tooltip: Tooltip.extend({ defaultProps: { openDelay: 300, withArrow: true, fz: 'xs' } }),
  },
})
