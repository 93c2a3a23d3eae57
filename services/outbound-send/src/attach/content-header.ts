import { contentIdOf } from '@postroom/mime/content-id';
import type { Entity } from '@postroom/mime/entity';
import { headerText } from '@postroom/mime/header-text';
import { buildHeaderValue, foldLines } from 'nodemailer/lib/mime-funcs';

/** The parameters of a stranger's Content-Type that programs need to read the content. The name is in another header. */
const PARAMETERS = ['charset', 'boundary', 'type', 'start', 'method', 'protocol', 'micalg', 'format', 'delsp'];
const MORE_PARAMETERS = ['report-type', 'smime-type'];
const MEDIA_TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/;
const PRINTABLE = /^[\x20-\x7e]{1,200}$/;
const OCTETS = 'application/octet-stream';

export function contentType({ type }: Entity): string {
  const value = MEDIA_TYPE.test(type.value) ? type.value : OCTETS;
  const parameters = [...PARAMETERS, ...MORE_PARAMETERS].flatMap((name) => {
    const given = type.parameters.get(name);
    return given !== undefined && PRINTABLE.test(given) ? [` ${name}="${given.replace(/["\\]/g, '\\$&')}"`] : [];
  });
  return ['Content-Type: ' + value, ...parameters].join(';\r\n');
}

/** The id by which the text of a message shows a part of it; null where it has none that can be taken over. */
export function contentId({ header }: Entity): string | null {
  const id = contentIdOf(header);
  return id === null ? null : `<${id}>`;
}

export function disposition({ disposition: { value } }: Entity, filename: string): string {
  const kind = value === 'inline' ? 'inline' : 'attachment';
  return foldLines(
    `Content-Disposition: ${buildHeaderValue({ value: kind, params: { filename: headerText(filename) } })}`,
    76,
  );
}
