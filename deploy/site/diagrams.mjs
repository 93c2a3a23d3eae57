// mermaid.min.js, which is loaded before, defines this name.
const { mermaid } = globalThis;
const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
mermaid.initialize({ startOnLoad: false, securityLevel: 'strict', theme: isDark ? 'dark' : 'neutral' });
await mermaid.run();
