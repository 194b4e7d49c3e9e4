// Keeps the column beside a referral in sight while the page scrolls, where all of it fits into the window.
const side = document.querySelector('.onward-case__side');
const check = () => side.toggleAttribute('data-fits', side.offsetHeight + 32 <= window.innerHeight);

// Its height changes when “More” is opened.
new ResizeObserver(check).observe(side);
window.addEventListener('resize', check);
