import { Button, createTheme, type CSSVariablesResolver } from '@mantine/core';

const FONT =
  "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', 'Liberation Sans', sans-serif";

export const theme = createTheme({
  fontFamily: FONT,
  fontFamilyMonospace: 'var(--mono)',
  headings: { fontFamily: FONT },
  fontSizes: { xs: '12px', sm: '13px', md: '13px', lg: '15px', xl: '20px' },
  lineHeights: { xs: '1.4', sm: '1.5', md: '1.5', lg: '1.5', xl: '1.4' },
  defaultRadius: '6px',
  cursorType: 'pointer',
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 6 },
  colors: {
    accent: [
      '#eceefb',
      '#d6daf6',
      '#b3bbf0',
      '#8d98e8',
      '#6b79df',
      '#5262d6',
      '#3f51c9',
      '#3343b0',
      '#2a3890',
      '#212c72',
    ],
  },
  respectReducedMotion: true,
  components: {
    Button: Button.extend({ defaultProps: { size: 'xs' } }),
    TextInput: { defaultProps: { size: 'sm' } },
    Checkbox: { defaultProps: { size: 'sm' } },
    Modal: {
      defaultProps: {
        centered: false,
        transitionProps: { duration: 120 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
    },
  },
});

/** The library's surfaces take the colours of `styles.css`, where both schemes stand side by side. */
export const cssVariables: CSSVariablesResolver = () => {
  const surfaces = {
    '--mantine-color-body': 'var(--page)',
    '--mantine-color-text': 'var(--text)',
    '--mantine-color-dimmed': 'var(--text-soft)',
    '--mantine-color-placeholder': 'var(--text-soft)',
    '--mantine-color-error': 'var(--bad)',
    '--mantine-color-default': 'var(--raised)',
    '--mantine-color-default-hover': 'var(--hover)',
    '--mantine-color-default-color': 'var(--text)',
    '--mantine-color-default-border': 'var(--line-strong)',
    '--mantine-color-anchor': 'var(--accent)',
  };
  return { variables: {}, light: surfaces, dark: surfaces };
};
