import { Marked } from 'marked';

/** HTML of a page. Headings have the anchors that GitHub gives them, so that one link serves both. */
export function render(text, toTarget) {
  const slugs = new Map();
  const slugOf = (heading) => {
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const before = slugs.get(slug) ?? 0;
    slugs.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  };
  const marked = new Marked({
    gfm: true,
    walkTokens: (token) => {
      if (token.type === 'link' || token.type === 'image') token.href = toTarget(token.href);
      if (token.type === 'html') token.text = withTargets(token.text, toTarget);
    },
    renderer: {
      heading({ tokens, depth, text: source }) {
        const plain = source.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
        return `<h${depth} id="${slugOf(plain)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      table(token) {
        const row = (cells, name) =>
          `<tr>${cells.map((cell) => `<${name}>${this.parser.parseInline(cell.tokens)}</${name}>`).join('')}</tr>`;
        const body = token.rows.map((cells) => row(cells, 'td')).join('\n');
        return `<div class="wide"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
      },
      code({ text: source, lang }) {
        return lang === 'mermaid' ? `<pre class="mermaid">${escapeHtml(source)}</pre>\n` : false;
      },
    },
  });
  return marked.parse(text);
}

function withTargets(html, toTarget) {
  return html.replace(/\b(src|srcset|href)="([^"\s]+)"/g, (_all, name, target) => `${name}="${toTarget(target)}"`);
}

function escapeHtml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
