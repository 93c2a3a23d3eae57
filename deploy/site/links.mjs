import { existsSync, statSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

/** The address of a page in the site. A README is the first page of its folder. */
export function addressOf(path) {
  return path.replace(/README\.md$/, 'index.html').replace(/\.md$/, '.html');
}

/** Links of the pages: to other pages of the site, to its images, and to the repository for everything else. */
export function createLinks({ root, repository, pages }) {
  const images = new Set();

  const toFile = (path) => {
    if (pages.has(path)) return addressOf(path);
    if (pages.has(`${path}/README.md`)) return addressOf(`${path}/README.md`);
    if (!/\.(png|svg)$/.test(path)) return undefined;
    images.add(path);
    return path;
  };

  return {
    /** The target of a link that stands in the text of `source`, for a reader of the page `reader`. */
    from: (reader, source, target) => {
      if (/^([a-z]+:|#)/.test(target)) return target;
      const [file, anchor] = target.split('#');
      const path = normalize(join(dirname(source), file)).replace(/\/$/, '');
      const inside = toFile(path);
      const at = anchor ? `#${anchor}` : '';
      if (inside) return relative(dirname(addressOf(reader)), inside) + at;
      const kind = existsSync(join(root, path)) && statSync(join(root, path)).isDirectory() ? 'tree' : 'blob';
      return `${repository}/${kind}/HEAD/${path}${at}`;
    },
    images: () => [...images],
  };
}
