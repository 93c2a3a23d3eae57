/** The index that holds the names of a workspace's labels apart. */
export const NAME_INDEX = 'workspace_name';

/** Of no width, as in emoji of several people, where they are kept: only comparing leaves them out. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * A name as uniqueness sees it: without case and without characters that nobody sees, of which look-alikes could be
 * made. Accents stay, since "Café" and "Cafe" are two names.
 * Going through upper case first makes "ß" and "SS", or the two small sigmas, one letter.
 */
export function nameKeyOf(name: string): string {
  return name.replace(UNSEEN, '').trim().normalize('NFC').toUpperCase().toLowerCase();
}

/** The name as it is shown, with the key that holds it apart. */
export function named(name: string): { name: string; nameKey: string } {
  return { name: name.trim(), nameKey: nameKeyOf(name) };
}

/** The key of a deleted label. No name folds to upper case, so no label can collide with it. */
export function deletedNameKeyOf(labelId: string): string {
  return `DELETED ${labelId}`;
}
