"use strict";

// The page as a whole: which link of the navigation is lit, and keyboard focus
// for tables and plots that scroll sideways.

function markScrollable() {
  for (const element of document.querySelectorAll(".scroll")) {
    const scrolls = element.scrollWidth > element.clientWidth + 1;
    if (scrolls) {
      element.tabIndex = 0;
      element.setAttribute("role", "region");
      const caption = element.querySelector("caption, svg > title");
      element.setAttribute("aria-label", caption ? caption.textContent : "Table, scrolls sideways");
    } else {
      for (const name of ["tabindex", "role", "aria-label"]) element.removeAttribute(name);
    }
  }
}

function followSections() {
  const links = new Map();
  for (const link of document.querySelectorAll("nav a")) {
    links.set(link.getAttribute("href").slice(1), link);
  }
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      for (const link of links.values()) link.removeAttribute("aria-current");
      const link = links.get(entry.target.getAttribute("aria-labelledby"));
      if (!link) continue;
      link.setAttribute("aria-current", "true");
      // Only the bar itself moves: scrollIntoView would move the page too.
      const bar = link.closest("ul");
      bar.scrollLeft = link.offsetLeft - bar.clientWidth / 2;
    }
  }, { rootMargin: "-20% 0px -70% 0px" });
  for (const section of document.querySelectorAll("main > section")) observer.observe(section);
}

addEventListener("resize", markScrollable);
document.addEventListener("toggle", markScrollable, true);
markScrollable();
followSections();
