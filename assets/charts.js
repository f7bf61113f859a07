/** The charts' own words in the address bar: which rows they show. */

/**
 * Put what was chosen into the address, or take it out where nothing is.
 * @param {string} name  `models` or `map`
 * @param {string[]|string|null} chosen  submission ids
 * @returns {string}  the query of the new address
 */
export function keepChoice(name, chosen) {
  const address = new URL(location.href);
  const ids = [chosen ?? []].flat().join(",");
  if (ids) address.searchParams.set(name, ids);
  else address.searchParams.delete(name);
  // Slashes, bars and commas are harmless in a query and easier to read as they are.
  const readable = address.search.replace(/%2F/g, "/").replace(/%7C/g, "|").replace(/%2C/g, ",");
  history.replaceState(history.state, "", address.pathname + readable + address.hash);
  return location.search;
}
