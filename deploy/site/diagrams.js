// mermaid.min.js, which is loaded before, defines this name. No module: a browser loads none from a file on disk.
const { mermaid } = globalThis;
const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
mermaid.initialize({ startOnLoad: false, securityLevel: 'strict', theme: isDark ? 'dark' : 'neutral' });
void mermaid.run();
