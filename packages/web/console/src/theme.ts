import { createTheme } from '@mantine/core'
import { t } from './language/t.ts'
import { beginInside } from './parts/begin-inside.ts'

const overlay = { transitionProps: { duration: 120 }, overlayProps: { backgroundOpacity: 0.4 } }
const quick = { transitionProps: { duration: 80 } }
/**
 * The list of options scrolls itself, see style/parts.css: nothing in between could be reached by keyboard. It opens when it is
 * asked for: in a dialog that begins with it, it would hide the rest.
 */
const list = { comboboxProps: quick, withScrollArea: false, openOnFocus: false }

/**
 * The sizes of common components. Colors are in style/tokens.css. Components are named and not imported, because
 * the first screen does without many of them.
 */
export const theme = createTheme({
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'xs' } },
    ActionIcon: { defaultProps: { size: 'md', variant: 'subtle', color: 'gray' } },
    Badge: { defaultProps: { size: 'sm', variant: 'light', tt: 'none', fw: 500 } },
    Autocomplete: { defaultProps: { openOnFocus: false } },
    // Otherwise every form would render the options of its closed lists.
    Combobox: { defaultProps: { keepMounted: false } },
    Input: { defaultProps: { size: 'sm' } },
    Modal: {
      defaultProps: {
        ...overlay,
        centered: false,
        yOffset: '8vh',
        closeButtonProps: { 'aria-label': t('Close') },
      },
    },
    ModalBody: { defaultProps: { ref: beginInside } },
    Drawer: { defaultProps: { ...overlay, closeButtonProps: { 'aria-label': t('Close') } } },
    DrawerBody: { defaultProps: { ref: beginInside } },
    // Without the placeholder a menu holds nothing but its items, and the first of them has the focus.
    Menu: {
      defaultProps: { ...quick, shadow: 'md', position: 'bottom-start', withInitialFocusPlaceholder: false },
    },
    MultiSelect: { defaultProps: list },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': t('Dismiss') } } },
    Popover: { defaultProps: { ...quick, shadow: 'md' } },
    Portal: { defaultProps: { target: '#layers' } },
    Select: { defaultProps: { ...list, checkIconPosition: 'right' } },
    TagsInput: { defaultProps: list },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true, fz: 'xs' } },
  },
})
