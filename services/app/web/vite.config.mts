import { defaultClientConditions, defineConfig } from 'vite';

export default defineConfig({
  base: '/app/',
  resolve: { conditions: ['@postroom/source', ...defaultClientConditions] },
  build: {
    // A font or an icon inside of a style sheet would be a `data:` address, which the policy of the pages refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
