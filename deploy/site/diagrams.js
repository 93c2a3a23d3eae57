// mermaid.min.js, which is loaded before, defines this name. No module: a browser loads none from a file on disk.
const { mermaid } = globalThis;
// A diagram keeps its size, and what is wider than the page is scrolled to: on a phone its words would be too small.
const wide = { sequence: { useMaxWidth: false }, flowchart: { useMaxWidth: false } };
const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
mermaid.initialize({ startOnLoad: false, securityLevel: 'strict', theme: isDark ? 'dark' : 'neutral', ...wide });
void mermaid.run();
